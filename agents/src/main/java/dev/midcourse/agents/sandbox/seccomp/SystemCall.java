package dev.midcourse.agents.sandbox.seccomp;

/**
 * System calls that {@link SystemCallFilter} treats specially, with their numbers on both
 * processors. The numbers never change: the kernel keeps them for all time.
 */
enum SystemCall {
  SOCKET(41, 198, Treatment.FAMILIES),
  SOCKETPAIR(53, 199, Treatment.PAIRS),
  IOCTL(16, 29, Treatment.TERMINAL_REQUESTS),

  // Namespaces and mounts. They open most of the kernel to a user without rights.
  CLONE(56, 220, Treatment.NO_NAMESPACES),
  CLONE3(435, 435, Treatment.ABSENT),
  UNSHARE(272, 97, Treatment.FORBIDDEN),
  SETNS(308, 268, Treatment.FORBIDDEN),
  MOUNT(165, 40, Treatment.FORBIDDEN),
  UMOUNT2(166, 39, Treatment.FORBIDDEN),
  PIVOT_ROOT(155, 41, Treatment.FORBIDDEN),
  CHROOT(161, 51, Treatment.FORBIDDEN),
  OPEN_TREE(428, 428, Treatment.FORBIDDEN),
  MOVE_MOUNT(429, 429, Treatment.FORBIDDEN),
  FSOPEN(430, 430, Treatment.FORBIDDEN),
  FSCONFIG(431, 431, Treatment.FORBIDDEN),
  FSMOUNT(432, 432, Treatment.FORBIDDEN),
  FSPICK(433, 433, Treatment.FORBIDDEN),
  MOUNT_SETATTR(442, 442, Treatment.FORBIDDEN),
  OPEN_TREE_ATTR(467, 467, Treatment.FORBIDDEN),

  // The kernel does not filter the calls that a program makes through a ring.
  IO_URING_SETUP(425, 425, Treatment.ABSENT),
  IO_URING_ENTER(426, 426, Treatment.ABSENT),
  IO_URING_REGISTER(427, 427, Treatment.ABSENT),

  // Keys of the user's session, which no namespace hides.
  KEYCTL(250, 219, Treatment.FORBIDDEN),
  ADD_KEY(248, 217, Treatment.FORBIDDEN),
  REQUEST_KEY(249, 218, Treatment.FORBIDDEN),

  // Parts of the kernel that a coding agent does not need and that often had vulnerabilities.
  BPF(321, 280, Treatment.FORBIDDEN),
  PERF_EVENT_OPEN(298, 241, Treatment.FORBIDDEN),
  USERFAULTFD(323, 282, Treatment.FORBIDDEN),
  KEXEC_LOAD(246, 104, Treatment.FORBIDDEN),
  KEXEC_FILE_LOAD(320, 294, Treatment.FORBIDDEN),
  INIT_MODULE(175, 105, Treatment.FORBIDDEN),
  FINIT_MODULE(313, 273, Treatment.FORBIDDEN),
  DELETE_MODULE(176, 106, Treatment.FORBIDDEN),
  NAME_TO_HANDLE_AT(303, 264, Treatment.FORBIDDEN),
  OPEN_BY_HANDLE_AT(304, 265, Treatment.FORBIDDEN),
  LOOKUP_DCOOKIE(212, 18, Treatment.FORBIDDEN),
  QUOTACTL(179, 60, Treatment.FORBIDDEN),
  QUOTACTL_FD(443, 443, Treatment.FORBIDDEN),
  ACCT(163, 89, Treatment.FORBIDDEN),
  SWAPON(167, 224, Treatment.FORBIDDEN),
  SWAPOFF(168, 225, Treatment.FORBIDDEN),
  REBOOT(169, 142, Treatment.FORBIDDEN),
  SYSLOG(103, 116, Treatment.FORBIDDEN);

  /** What the filter does with a call. */
  enum Treatment {
    /** Fails with EPERM. */
    FORBIDDEN,
    /** Fails with ENOSYS, after which programs use an older call. */
    ABSENT,
    /** Permits Internet sockets and the routing table, and no other address family. */
    FAMILIES,
    /** Permits Unix sockets that are connected to each other for ever, and no others. */
    PAIRS,
    /** Fails for requests that type into a terminal. */
    TERMINAL_REQUESTS,
    /** Fails for a process with namespaces of its own. */
    NO_NAMESPACES
  }

  private final int onAmd64;
  private final int onAarch64;
  private final Treatment treatment;

  SystemCall(int onAmd64, int onAarch64, Treatment treatment) {
    this.onAmd64 = onAmd64;
    this.onAarch64 = onAarch64;
    this.treatment = treatment;
  }

  int number(SystemCallFilter.Processor processor) {
    return switch (processor) {
      case AMD64 -> onAmd64;
      case AARCH64 -> onAarch64;
    };
  }

  Treatment treatment() {
    return treatment;
  }
}
