// Prints for each MIME type the names of the extractors that KFileMetaData runs for such a file.
//
// With the path of a plain text, prints instead how many properties they find when nothing but the
// text is asked for.
#include <KFileMetaData/Extractor>
#include <KFileMetaData/ExtractorCollection>
#include <KFileMetaData/SimpleExtractionResult>

#include <QCoreApplication>
#include <QMimeDatabase>
#include <QTextStream>

int main(int count, char **words) {
  const QCoreApplication application(count, words);
  const KFileMetaData::ExtractorCollection collection;
  QTextStream out(stdout);
  if (count > 1) {
    const QString type = QStringLiteral("text/plain");
    KFileMetaData::SimpleExtractionResult result(
        QString::fromLocal8Bit(words[1]), type, KFileMetaData::ExtractionResult::ExtractPlainText);
    for (auto *extractor : collection.fetchExtractors(type)) extractor->extract(&result);
    out << result.properties(KFileMetaData::PropertiesMapType::MultiMap).size();
    return 0;
  }
  for (const QMimeType &type : QMimeDatabase().allMimeTypes()) {
    out << type.name();
    for (const auto *extractor : collection.fetchExtractors(type.name()))
      out << '\t' << extractor->extractorProperties().value(QStringLiteral("Name")).toString();
    out << '\n';
  }
}
