/*
 * A library for LD_PRELOAD that makes a disk look slow: each call that writes a file through to the disk
 * takes 1 to 3 ms longer. `./verify --hostile disk` compiles and loads it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static void delay(void) {
  struct timespec now, pause = {0, 1000000};
  clock_gettime(CLOCK_MONOTONIC, &now);
  pause.tv_nsec += (now.tv_nsec / 64) % 2000000; /* differs from call to call */
  nanosleep(&pause, NULL);
}

int fsync(int file) {
  static int (*next)(int);
  if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  delay();
  return next(file);
}

int fdatasync(int file) {
  static int (*next)(int);
  if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  delay();
  return next(file);
}

int sync_file_range(int file, off64_t from, off64_t length, unsigned int flags) {
  static int (*next)(int, off64_t, off64_t, unsigned int);
  if (!next) next = (int (*)(int, off64_t, off64_t, unsigned int))dlsym(RTLD_NEXT, "sync_file_range");
  delay();
  return next(file, from, length, flags);
}

int msync(void *address, size_t length, int flags) {
  static int (*next)(void *, size_t, int);
  if (!next) next = (int (*)(void *, size_t, int))dlsym(RTLD_NEXT, "msync");
  delay();
  return next(address, length, flags);
}
