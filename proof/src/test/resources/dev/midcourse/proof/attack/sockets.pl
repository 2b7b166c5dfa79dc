# Tries to reach sockets outside of a sandbox, and to leave the rules of its filter. Prints one line per try.
# usage: perl sockets.pl FOLDER NAME      FOLDER has stream and datagram, NAME is the abstract socket
use strict;
use warnings;
no warnings 'portable';
use Socket;
use POSIX ();

my ($folder, $name) = @ARGV;
my $arm = (POSIX::uname())[4] eq 'aarch64';
my ($socket, $unshare, $keyctl, $clone) = $arm ? (198, 97, 219, 220) : (41, 272, 250, 56);
my $stream = pack_sockaddr_un("$folder/stream");
my $datagram = pack_sockaddr_un("$folder/datagram");
my $abstract = pack_sockaddr_un("\0$name");

sub try {
  my ($what, $attack) = @_;
  print $what, ': ', ($attack->() ? 'reached' : 'refused'), "\n";
}

try('stream', sub { my $s; socket($s, AF_UNIX, SOCK_STREAM, 0) && connect($s, $stream) });
try('datagram', sub { my $s; socket($s, AF_UNIX, SOCK_DGRAM, 0) && send($s, 'x', 0, $datagram) });
try('abstract', sub { my $s; socket($s, AF_UNIX, SOCK_STREAM, 0) && connect($s, $abstract) });
try('half of a datagram pair',
  sub { my ($x, $y); socketpair($x, $y, AF_UNIX, SOCK_DGRAM, 0) && send($x, 'x', 0, $datagram) });
try('half of a raw pair',
  sub { my ($x, $y); socketpair($x, $y, AF_UNIX, SOCK_RAW, 0) && send($x, 'x', 0, $datagram) });
try('half of a stream pair',
  sub { my ($x, $y); socketpair($x, $y, AF_UNIX, SOCK_STREAM, 0) && connect($x, $stream) });
try('family with upper bits', sub { syscall($socket, (1 << 32) | AF_UNIX, SOCK_STREAM, 0) >= 0 });
try('virtual machine socket', sub { syscall($socket, 40, SOCK_STREAM, 0) >= 0 });
try('ring', sub { my $params = "\0" x 120; syscall(425, 8, $params) >= 0 });
try('user namespace', sub {
  my $child = fork;
  POSIX::_exit(syscall($unshare, 0x10000000) == 0 ? 0 : 1) unless $child;
  waitpid($child, 0);
  $? == 0;
});
try('process in a user namespace', sub {
  my $child = syscall($clone, 0x10000000 | 17, 0, 0, 0, 0);
  POSIX::_exit(0) if $child == 0;
  $child > 0 && waitpid($child, 0) == $child;
});
try('keys', sub { syscall($keyctl, 0, -3, 0) >= 0 });
my ($one, $other, $byte, $inet);
my $pair = socketpair($one, $other, AF_UNIX, SOCK_STREAM, 0) && syswrite($one, 'x') && sysread($other, $byte, 1);
print 'own pair: ', ($pair ? 'works' : 'broken'), "\n";
print 'internet socket: ', (socket($inet, AF_INET, SOCK_STREAM, 0) ? 'works' : 'broken'), "\n";
