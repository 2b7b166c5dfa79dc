import java.util.Arrays;

/** Starts a program of Gerrit, whose jars have no main class. */
public final class GerritProgram {
  private GerritProgram() {}

  /** Usage: GerritProgram PROGRAM ARGUMENTS, for example GerritProgram Daemon -d SITE. */
  public static void main(String[] args) throws Exception {
    Object program = Class.forName("com.google.gerrit.pgm." + args[0]).getDeclaredConstructor().newInstance();
    Object status =
        program.getClass()
            .getMethod("main", String[].class)
            .invoke(program, (Object) Arrays.copyOfRange(args, 1, args.length));
    System.exit((Integer) status);
  }
}
