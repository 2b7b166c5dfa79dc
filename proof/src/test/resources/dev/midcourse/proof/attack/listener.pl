# Listens like a program of the user: on FOLDER/stream, FOLDER/datagram and the abstract socket NAME.
# usage: perl listener.pl FOLDER NAME      prints "ready"; ends with its input
use strict;
use warnings;
use Socket;

my ($folder, $name) = @ARGV;
my @sockets;
for ([SOCK_STREAM, "$folder/stream"], [SOCK_DGRAM, "$folder/datagram"], [SOCK_STREAM, "\0$name"]) {
  my ($type, $address) = @$_;
  socket(my $s, AF_UNIX, $type, 0) or die $!;
  bind($s, pack_sockaddr_un($address)) or die $!;
  $type == SOCK_DGRAM or listen($s, 100) or die $!;
  push @sockets, $s;
}
$| = 1;
print "ready\n";
<STDIN>;
