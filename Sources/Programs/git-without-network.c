/// Stands for the parts of libgit2 1.5 that reach the network, and for PCRE2's compiler of machine code, where
/// docsource-repositories is linked with the archives of both: what calls these finds the functions here, so
/// that the linker leaves out the parts themselves, and the eleven libraries that only they need.
#include <stdbool.h>
#include <stddef.h>

/// What git_libgit2_init(3) prepares.
int git_stream_registry_global_init(void) { return 0; }
int git_socket_stream_global_init(void) { return 0; }
int git_openssl_stream_global_init(void) { return 0; }
int git_mbedtls_stream_global_init(void) { return 0; }
int git_transport_ssh_global_init(void) { return 0; }

/// What git_libgit2_opts(3) sets.
bool git_http__expect_continue = false;
bool git_smart__ofs_delta_enabled = false;

int git_openssl__set_cert_location(const char *file, const char *directory) {
  (void)file, (void)directory;
  return -1;
}

int git_mbedtls__set_cert_location(const char *file, const char *directory) {
  (void)file, (void)directory;
  return -1;
}

/// What git_remote_connect(3) would call.
int git_transport_new(void **transport, void *remote, const char *address) {
  (void)transport, (void)remote, (void)address;
  return -1;
}

/// What PCRE2 would do with machine code that pcre2_jit_compile(3) has made, which libgit2 does not ask for: the
/// compiler for it is 240 KB.
int pcre2_jit_match_8(const void *code, const void *subject, size_t length, size_t start,
                      unsigned options, void *match, void *context) {
  (void)code, (void)subject, (void)length, (void)start, (void)options, (void)match, (void)context;
  return -45;  // PCRE2_ERROR_JIT_BADOPTION
}

int _pcre2_jit_check_exec_8(const void *code, unsigned options) {
  (void)code, (void)options;
  return 0;
}

void _pcre2_jit_free_8(void *code, void *memory) { (void)code, (void)memory; }

size_t _pcre2_jit_get_size_8(void *code) {
  (void)code;
  return 0;
}
