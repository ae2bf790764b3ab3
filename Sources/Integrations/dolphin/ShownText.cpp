#include "ShownText.hpp"

#include <QChar>
#include <QVector>

#include <algorithm>
#include <iterator>
#include <utility>

namespace {

const int charactersShown = 4096;
const int pathLength = 60;
const QChar ellipsis(0x2026);

/// What renders as nothing, or as a blank, and is not of a category that does: first and last ones.
const std::pair<uint, uint> ignorable[] = {
    {0x34F, 0x34F},     {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},
    {0x2065, 0x2065},   {0x2800, 0x2800},   {0x3164, 0x3164},   {0xFE00, 0xFE0F},
    {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFF8},   {0x13441, 0x13442}, {0x16FE4, 0x16FE4},
    {0x1D159, 0x1D159}, {0xE0000, 0xE0FFF},
};

bool isVisible(uint character) {
  if (character == ' ') return true;
  switch (QChar::category(character)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_PrivateUse:
    case QChar::Other_Surrogate:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
    case QChar::Separator_Space:
      return false;
    default:
      return std::none_of(std::begin(ignorable), std::end(ignorable), [&](const auto &range) {
        return character >= range.first && character <= range.second;
      });
  }
}

}  // namespace

QString ShownText::escaped(const std::string &text) {
  QString safe;
  int count = 0;
  for (const uint character : QString::fromStdString(text).toUcs4()) {
    if (count++ == charactersShown) return safe + ellipsis;
    if (isVisible(character))
      safe += QString::fromUcs4(&character, 1);
    else if (character == '\n' || character == '\r' || character == '\t')
      safe += QLatin1String(character == '\n' ? "\\n" : character == '\r' ? "\\r" : "\\t");
    else if (character < 0x80)
      safe += QStringLiteral("\\x%1").arg(character, 2, 16, QLatin1Char('0'));
    else
      safe += QStringLiteral("\\u{%1}").arg(character, 4, 16, QLatin1Char('0'));
  }
  return safe;
}

QString ShownText::shortenedPath(const QString &path) {
  if (path.size() <= pathLength) return path;
  const int slash = path.lastIndexOf(QLatin1Char('/'), path.size() - 2);
  const QString name = path.mid(slash + 1);
  // The end of a name tells its type.
  if (slash < 0 || name.size() > pathLength - 4)
    return (slash < 0 ? QString() : ellipsis + QStringLiteral("/"))
           + name.left(pathLength * 2 / 3) + ellipsis + name.right(pathLength / 4);
  return path.left(pathLength - 2 - name.size()) + ellipsis + QLatin1Char('/') + name;
}

QString ShownText::filled(const QString &text, const QString &first, const QString &second) {
  const QLatin1String place("{}");
  const int one = text.indexOf(place);
  if (one < 0) return text;
  const int two = text.indexOf(place, one + 2);
  // What a value has of braces is no place.
  const QString end = two < 0 ? text.mid(one + 2)
                              : text.mid(one + 2, two - one - 2) + second + text.mid(two + 2);
  return text.left(one) + first + end;
}
