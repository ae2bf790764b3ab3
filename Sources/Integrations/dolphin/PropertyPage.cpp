#include "PropertyPage.hpp"

#include "ApplicationName.hpp"
#include "Background.hpp"
#include "Emblem.hpp"
#include "Log.hpp"
#include "SourceSummary.hpp"

#include <KFileItem>
#include <KIO/ApplicationLauncherJob>
#include <KIO/JobUiDelegateFactory>
#include <KLocalizedString>
#include <KPageWidgetModel>

#include <QClipboard>
#include <QEvent>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QUrl>

static const int points = 48;
/// The most pixels that the page asks for.
static const int widest = 640;

PropertyPage::PropertyPage(QObject *parent, const QVariantList &)
    : KPropertiesDialogPlugin(qobject_cast<KPropertiesDialog *>(parent)) {
  Background::guarded("properties", [&] {
    const QUrl url = properties->item().url();
    if (!url.isLocalFile()) return;
    Background::run<SourceSummary>(
        this, [path = url.toLocalFile()] { return SourceSummary::read(path); },
        [this](const SourceSummary &summary) { show(summary); });
  });
}

/// A text that can be copied, and followed where it leads somewhere.
static QLabel *label(const SourceSummary::Line &line) {
  auto *label = new QLabel;
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextBrowserInteraction);
  if (line.link.isEmpty()) {
    label->setTextFormat(Qt::PlainText);
    label->setText(line.text);
  } else {
    label->setTextFormat(Qt::RichText);
    label->setText(QStringLiteral("<a href=\"%1\">%2</a>")
                       .arg(line.link.toHtmlEscaped(), line.text.toHtmlEscaped()));
    label->setToolTip(line.link);
    label->setOpenExternalLinks(true);
  }
  if (!line.tip.isEmpty()) {
    label->setToolTip(QStringLiteral("<qt>%1</qt>").arg(line.tip.toHtmlEscaped()));
  }
  return label;
}

void PropertyPage::show(const SourceSummary &summary) {
  if (summary.lines.empty()) return;
  page = new QWidget;
  auto *columns = new QHBoxLayout(page);
  picture = new QLabel;
  picture->setAlignment(Qt::AlignTop);
  // Also before it has its picture.
  picture->setMinimumWidth(points);
  columns->addWidget(picture);
  auto *form = new QFormLayout;
  // Breeze would leave texts at a width at which they are cut.
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setRowWrapPolicy(QFormLayout::DontWrapRows);
  columns->addLayout(form, 1);
  for (SourceSummary::Line line : summary.lines) {
    if (line.label == i18n("Application") && !summary.isNameDisputed)
      line.text = ApplicationName::shown(summary.identifier, summary.name);
    form->addRow(line.label + QLatin1Char(':'), label(line));
    qCDebug(DOCSOURCE_DOLPHIN) << "property" << line.label << line.text << line.link;
  }
  addActions(form, summary);
  // The dialog is as wide as the longest word; what is larger than that is scrolled to.
  auto *scrolled = new QScrollArea;
  scrolled->setFrameShape(QFrame::NoFrame);
  scrolled->setWidgetResizable(true);
  scrolled->setWidget(page);
  const int bar = scrolled->verticalScrollBar()->sizeHint().width();
  scrolled->setMinimumWidth(qMin(page->minimumSizeHint().width() + bar, widest));
  page->installEventFilter(this);
  scrolled->viewport()->installEventFilter(this);
  KPageWidgetItem *item = properties->addPage(scrolled, i18n("Source App"));
  item->setIcon(QIcon::fromTheme(Emblem::generic()));

  const double scale = page->devicePixelRatioF();
  Background::run<SourceIcon>(
      this,
      [summary, scale] {
        return SourceIcon::find(summary.identifier, summary.appInfoURL, points, scale);
      },
      [this, summary, scale](const SourceIcon &icon) {
        showIcon(summary, icon);
        if (!icon.isFetchable) return;
        Background::run<SourceIcon>(
            this,
            [summary, scale] {
              return SourceIcon::fetch(summary.identifier, summary.appInfoURL, points, scale);
            },
            [this, summary](const SourceIcon &fetched) { showIcon(summary, fetched); });
      });
}

bool PropertyPage::eventFilter(QObject *watched, QEvent *event) {
  const bool isMeasured = event->type() == QEvent::Resize || event->type() == QEvent::Show;
  if (isMeasured && DOCSOURCE_DOLPHIN().isDebugEnabled()) {
    // When all is in its place.
    QTimer::singleShot(100, this, &PropertyPage::measure);
  }
  return KPropertiesDialogPlugin::eventFilter(watched, event);
}

void PropertyPage::measure() {
  for (const QLabel *label : page->findChildren<QLabel *>()) {
    if (!label->isVisible() || label->text().isEmpty()) continue;
    const int height = label->hasHeightForWidth() ? label->heightForWidth(label->width())
                                                  : label->sizeHint().height();
    const QWidget *view = page->parentWidget();
    const bool isWhole = label->height() >= height
                         && label->width() >= label->minimumSizeHint().width()
                         && label->mapTo(view, QPoint(label->width(), 0)).x() <= view->width();
    qCDebug(DOCSOURCE_DOLPHIN) << "label" << label->text() << QLatin1String(isWhole ? "whole" : "cut")
                               << label->geometry() << height << view->size();
  }
}

void PropertyPage::addActions(QFormLayout *form, const SourceSummary &summary) {
  auto *buttons = new QHBoxLayout;
  const KFileItem item = properties->item();
  const KService::Ptr service = ApplicationName::service(summary.identifier);
  const bool isOpener = service && item.isFile() && service->isApplication()
                        && service->hasMimeType(item.mimetype());
  if (isOpener) {
    auto *open = new QPushButton(ApplicationName::opening(service));
    connect(open, &QPushButton::clicked, this, [service, open, url = item.url()] {
      auto *job = new KIO::ApplicationLauncherJob(service);
      job->setUrls({url});
      job->setUiDelegate(KIO::createDefaultJobUiDelegate(
          KJobUiDelegate::AutoErrorHandlingEnabled, open->window()));
      job->start();
    });
    buttons->addWidget(open);
    qCDebug(DOCSOURCE_DOLPHIN) << "action" << open->text();
  }
  if (summary.address) {
    auto *copy = new QPushButton(i18n("Copy Address"));
    connect(copy, &QPushButton::clicked, this, [address = *summary.address] {
      QGuiApplication::clipboard()->setText(QString::fromStdString(address));
    });
    buttons->addWidget(copy);
    qCDebug(DOCSOURCE_DOLPHIN) << "action" << copy->text();
  }
  if (buttons->count() == 0) {
    delete buttons;
    return;
  }
  buttons->addStretch();
  form->addRow(buttons);
}

void PropertyPage::showIcon(const SourceSummary &summary, const SourceIcon &icon) {
  const QString identifier =
      QString::fromStdString(summary.identifier.value_or(std::string()));
  // What is no application has the picture of none. That of programs looks like a warning in Breeze.
  const QString emblem = Emblem::ofApplication(identifier);
  const QString name = summary.identifier || summary.name ? emblem : QStringLiteral("text-x-generic");
  const QIcon shown = icon.path.isEmpty() ? QIcon::fromTheme(name) : QIcon(icon.path);
  qCDebug(DOCSOURCE_DOLPHIN) << "icon" << (icon.path.isEmpty() ? name : icon.path);
  picture->setPixmap(shown.pixmap(points, points));
}
