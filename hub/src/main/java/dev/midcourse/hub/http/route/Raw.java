package dev.midcourse.hub.http.route;

/** A body that its route reads by itself: JSON of a form that is not ours to say. */
public record Raw(String text) {}
