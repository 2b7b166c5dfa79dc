@NullMarked
package dev.midcourse.channels.whatsapp;

import org.jspecify.annotations.NullMarked;
