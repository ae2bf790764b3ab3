#ifndef DOCSOURCE_DOLPHIN_ORIGINWORDS_HPP
#define DOCSOURCE_DOLPHIN_ORIGINWORDS_HPP

#include <documentsource.hpp>

#include <QString>

#include <cstdint>
#include <optional>
#include <string>

/// Where a file came from, in the words of the user's language. The texts are those of the other
/// file managers, which have translations of them.
namespace OriginWords {

/// What the marks say about a subject.
std::optional<std::string> said(const docsource::Report &report, docsource_subject subject);

/// The short answer of `docsource trace`; empty if no mark says where the file came from.
QString sentence(const docsource::Report &report);

/// A time in ISO format, as the clock on the wall has it, with the day as the sentence has it.
QString moment(const std::string &time);

/// A value with the mark that has it.
QString ofMark(const QString &value, const std::string &mark);

/// A security zone of Windows.
QString zone(const std::string &name);

/// What is wrong with a mark.
QString damage(std::int64_t offset);

/// Why a file cannot be read.
QString reason(const docsource::Error &error);

}  // namespace OriginWords

#endif
