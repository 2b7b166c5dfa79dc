@org.jspecify.annotations.NullMarked
package dev.midcourse.core.authority;
