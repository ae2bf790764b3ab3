/// Stands for the parts of libgit2 1.5 that reach the network, where docsource-repositories is linked with its
/// archive: what of libgit2 calls these finds the functions here, so that the linker leaves out the parts
/// themselves, and the eleven libraries that only they need.
#include <stdbool.h>

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
