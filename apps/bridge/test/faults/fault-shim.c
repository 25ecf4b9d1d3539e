/*
 * Lets the n-th system call that changes files below a folder fail, in a process that preloads this. For tests.
 *   FAULT_BELOW  text that the file's path must contain (calls that name paths count always)
 *   FAULT_AT     which call, from 1; 0 only counts
 *   FAULT_KIND   ENOSPC, EIO, or SHORT: half of a write goes through (other calls then fail with EIO)
 *   FAULT_LAST   1: every later call fails as well, until the process ends
 *   FAULT_REPORT a file that gets "<calls> <name of the call that failed>" at the end
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;
static const char *failed = "-";

static int is_below(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  const char *below = getenv("FAULT_BELOW");
  return below != NULL && strstr(path, below) != NULL;
}

static int fails(const char *name) {
  const char *text = getenv("FAULT_AT");
  long at = text == NULL ? 0 : atol(text);
  long now = ++calls;
  const char *last = getenv("FAULT_LAST");
  if (at == 0 || now < at || (now > at && (last == NULL || *last != '1'))) return 0;
  if (now == at) failed = name;
  return 1;
}

static int is_short(void) {
  const char *kind = getenv("FAULT_KIND");
  return kind != NULL && strcmp(kind, "SHORT") == 0;
}

static int code(void) {
  const char *kind = getenv("FAULT_KIND");
  return kind != NULL && strcmp(kind, "ENOSPC") == 0 ? ENOSPC : EIO;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t size) {
  if (!is_below(fd) || !fails("write")) return REAL(write)(fd, bytes, size);
  if (is_short() && size > 1) return REAL(write)(fd, bytes, size / 2);
  errno = code();
  return -1;
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
  if (!is_below(fd) || !fails("pwrite")) return REAL(pwrite64)(fd, bytes, size, at);
  if (is_short() && size > 1) return REAL(pwrite64)(fd, bytes, size / 2, at);
  errno = code();
  return -1;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (!is_below(fd) || !fails("writev")) return REAL(writev)(fd, parts, count);
  errno = code();
  return -1;
}

int fsync(int fd) {
  if (!is_below(fd) || !fails("fsync")) return REAL(fsync)(fd);
  errno = EIO;
  return -1;
}

int fdatasync(int fd) {
  if (!is_below(fd) || !fails("fdatasync")) return REAL(fdatasync)(fd);
  errno = EIO;
  return -1;
}

int ftruncate64(int fd, off64_t size) {
  if (!is_below(fd) || !fails("ftruncate")) return REAL(ftruncate64)(fd, size);
  errno = EIO;
  return -1;
}

int rename(const char *from, const char *to) {
  if (!fails("rename")) return REAL(rename)(from, to);
  errno = code();
  return -1;
}

int link(const char *from, const char *to) {
  if (!fails("link")) return REAL(link)(from, to);
  errno = code();
  return -1;
}

int unlink(const char *path) {
  if (!fails("unlink")) return REAL(unlink)(path);
  errno = EIO;
  return -1;
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("FAULT_REPORT");
  if (path == NULL) return;
  FILE *file = fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "%ld %s", (long)calls, failed);
  fclose(file);
}
