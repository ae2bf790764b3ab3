/// libcurl for Swift, which cannot call its variadic functions: one function for each type of value.

#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>

static inline CURLcode ccurl_set_long(CURL *_Nonnull handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *_Nonnull handle, CURLoption option,
                                        curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

/// libcurl keeps a copy of the string.
static inline CURLcode ccurl_set_string(CURL *_Nonnull handle, CURLoption option,
                                        const char *_Nullable value) {
  return curl_easy_setopt(handle, option, value);
}

/// The list must live until the handle is reset or given another.
static inline CURLcode ccurl_set_list(CURL *_Nonnull handle, CURLoption option,
                                      struct curl_slist *_Nullable value) {
  return curl_easy_setopt(handle, option, value);
}

/// For the CURLOPT_...DATA options and CURLOPT_ERRORBUFFER.
static inline CURLcode ccurl_set_pointer(CURL *_Nonnull handle, CURLoption option,
                                         void *_Nullable value) {
  return curl_easy_setopt(handle, option, value);
}

/// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode ccurl_set_write_callback(CURL *_Nonnull handle, CURLoption option,
                                                curl_write_callback _Nonnull value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_socket_callback(CURL *_Nonnull handle,
                                                 curl_opensocket_callback _Nonnull value) {
  return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode ccurl_set_request_callback(CURL *_Nonnull handle,
                                                  curl_prereq_callback _Nonnull value) {
  return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode ccurl_get_long(CURL *_Nonnull handle, CURLINFO info, long *_Nonnull value) {
  return curl_easy_getinfo(handle, info, value);
}

/// The string is the handle's and lives until its next transfer.
static inline CURLcode ccurl_get_string(CURL *_Nonnull handle, CURLINFO info,
                                        const char *_Nullable *_Nonnull value) {
  return curl_easy_getinfo(handle, info, value);
}

#endif
