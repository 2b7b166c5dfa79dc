package dev.midcourse.core.loop.forge;

/**
 * A pull request, a merge request or a Gerrit change.
 *
 * @param number its number in its project, as people write it
 * @param url its page; blank if the forge names none
 */
public record ChangeRef(String number, String url) {}
