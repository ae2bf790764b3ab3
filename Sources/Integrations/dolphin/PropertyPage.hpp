#ifndef DOCSOURCE_DOLPHIN_PROPERTYPAGE_HPP
#define DOCSOURCE_DOLPHIN_PROPERTYPAGE_HPP

#include <KPropertiesDialog>

#include <QStringList>
#include <QVariantList>

class QLabel;
struct SourceIcon;
struct SourceSummary;

/// A page of the properties dialog that tells the source application of the files, where one of
/// them has any.
class PropertyPage : public KPropertiesDialogPlugin {
  Q_OBJECT

 public:
  explicit PropertyPage(QObject *parent, const QVariantList & = {});

 private:
  void show(const SourceSummary &summary);
  void showIcon(const SourceSummary &summary, const SourceIcon &icon);

  QStringList paths;
  QLabel *picture = nullptr;
};

#endif
