package dev.midcourse.cli.spec;

/** A command line for the help page, and its effect. */
public record Example(String line, String does) {}
