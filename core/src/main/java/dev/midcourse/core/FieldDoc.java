package dev.midcourse.core;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes a field of a request, for its reader and for the published description of the API. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface FieldDoc {
  /** The meaning of the field. */
  String value();

  /** The name of the field in a request, if it differs from the name of the component. */
  String name() default "";

  /** The value of a field that is missing, as text. Without it, only optional fields may miss. */
  String defaultValue() default "";
}
