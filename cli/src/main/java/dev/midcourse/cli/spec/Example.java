package dev.midcourse.cli.spec;

/** A command line to learn from, and what it does. */
public record Example(String line, String does) {}
