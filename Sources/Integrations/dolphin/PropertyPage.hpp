#ifndef DOCSOURCE_DOLPHIN_PROPERTYPAGE_HPP
#define DOCSOURCE_DOLPHIN_PROPERTYPAGE_HPP

#include <KPropertiesDialog>

#include <QVariantList>

class QFormLayout;
class QLabel;
struct SourceIcon;
struct SourceSummary;

/// A page of the properties dialog that tells the source application of a file, where it has one.
///
/// Of several files the dialog has its own pages only.
class PropertyPage : public KPropertiesDialogPlugin {
  Q_OBJECT

 public:
  explicit PropertyPage(QObject *parent, const QVariantList & = {});

 protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

 private:
  /// Reports whether the texts of the page are whole.
  void measure();
  void show(const SourceSummary &summary);
  /// Buttons for what can be done with the file and the address it came from.
  void addActions(QFormLayout *form, const SourceSummary &summary);
  void showIcon(const SourceSummary &summary, const SourceIcon &icon);

  QWidget *page = nullptr;
  QLabel *picture = nullptr;
};

#endif
