/** The evidence: end-to-end, crash, race and load suites, scripted models, benchmarks. */
@NullMarked
package dev.midcourse.proof;

import org.jspecify.annotations.NullMarked;
