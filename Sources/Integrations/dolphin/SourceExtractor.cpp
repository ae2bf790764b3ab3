#include "SourceExtractor.hpp"

#include "ApplicationName.hpp"
#include "Log.hpp"
#include "ShownText.hpp"

#include <documentsource.h>

#include <KLocalizedString>

#include <QFile>

#include <memory>
#include <string>

SourceExtractor::SourceExtractor(QObject *parent) : ExtractorPlugin(parent) {}

QStringList SourceExtractor::mimetypes() const { return {}; }

namespace {

using Report = std::unique_ptr<docsource_report, void (*)(docsource_report *)>;

std::string said(const Report &report, docsource_subject subject) {
  std::size_t length = 0;
  const char *start = docsource_report_value(report.get(), subject, &length);
  return start == nullptr ? std::string() : std::string(start, length);
}

/// The name of the application that a file came from; empty if no mark names one.
QString applicationOf(const QString &path) {
  docsource_report *found = nullptr;
  // Without what would start programs. What cannot be read names no application.
  docsource_report_read(QFile::encodeName(path).constData(), 0, &found, nullptr);
  const Report report(found, docsource_report_free);
  const QString name = ApplicationName::shown(said(report, DOCSOURCE_ABOUT_IDENTIFIER),
                                              said(report, DOCSOURCE_ABOUT_NAME));
  const bool isDisputed =
      docsource_report_is_contradictory(report.get(), DOCSOURCE_ABOUT_NAME) != 0
      || docsource_report_is_contradictory(report.get(), DOCSOURCE_ABOUT_IDENTIFIER) != 0;
  return isDisputed && !name.isEmpty() ? ShownText::filled(i18n("{} (contradictory)"), name) : name;
}

}  // namespace

void SourceExtractor::extract(KFileMetaData::ExtractionResult *result) {
  if (!(result->inputFlags() & KFileMetaData::ExtractionResult::ExtractMetaData)) return;
  const QString name = applicationOf(result->inputUrl());
  qCDebug(DOCSOURCE_DOLPHIN) << "generator" << result->inputUrl() << name;
  // Beside what another extractor has found in the content.
  if (!name.isEmpty()) result->add(KFileMetaData::Property::Generator, name);
}
