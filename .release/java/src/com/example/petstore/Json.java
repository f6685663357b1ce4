package com.example.petstore;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Reads and writes the JSON of the admin API. Objects become records, whose components have the names of their fields. A field
 * that is missing is null, or 0 or false if its type has no null; a field without a component is left out.
 */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  static <T extends Record> T read(Class<T> type, String text) {
    return type.cast(convert(type, parse(text)));
  }

  /** Returns a list of {@link #parse} as records. */
  static <T extends Record> List<T> readList(Class<T> type, Object list) {
    return ((List<?>) list).stream().map(one -> type.cast(convert(type, one))).toList();
  }

  /** Returns a field of a field of an object of {@link #parse}. */
  static Object at(Object value, String... names) {
    for (var name : names) {
      value = ((Map<?, ?>) value).get(name);
    }
    return value;
  }

  /** Returns a text as Map, List, String, BigDecimal, Boolean or null. Throws IllegalArgumentException if it is not JSON. */
  static Object parse(String text) {
    var json = new Json(text);
    try {
      var value = json.value();
      if (json.next() == 0) {
        return value;
      }
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      // thrown below
    }
    throw new IllegalArgumentException("this is no JSON: " + text);
  }

  /** Returns the character after white space, or 0 at the end. */
  private char next() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  private boolean skip(char wanted) {
    var found = next() == wanted;
    at += found ? 1 : 0;
    return found;
  }

  private Object value() {
    switch (next()) {
      case '{':
        return object();
      case '[':
        return list();
      case '"':
        return string();
      default:
        var start = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
          at++;
        }
        var word = text.substring(start, at);
        return switch (word) {
          case "true" -> true;
          case "false" -> false;
          case "null" -> null;
          default -> new BigDecimal(word);
        };
    }
  }

  private Map<String, Object> object() {
    var object = new LinkedHashMap<String, Object>();
    for (skip('{'); !skip('}'); skip(',')) {
      next();
      var name = string();
      if (!skip(':')) {
        throw new IndexOutOfBoundsException();
      }
      object.put(name, value());
    }
    return object;
  }

  private List<Object> list() {
    var list = new ArrayList<>();
    for (skip('['); !skip(']'); skip(',')) {
      list.add(value());
    }
    return list;
  }

  private String string() {
    var string = new StringBuilder();
    if (text.charAt(at++) != '"') {
      throw new IndexOutOfBoundsException();
    }
    for (char one = text.charAt(at++); one != '"'; one = text.charAt(at++)) {
      string.append(one == '\\' ? escaped() : one);
    }
    return string.toString();
  }

  private char escaped() {
    var one = text.charAt(at++);
    if (one == 'u') {
      at += 4;
      return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }
    var control = "bfnrt".indexOf(one);
    return control < 0 ? one : "\b\f\n\r\t".charAt(control);
  }

  /** Converts a value of {@link #parse} to the type of a record's component. */
  private static Object convert(Type type, Object value) {
    if (type instanceof ParameterizedType of) {
      var wanted = of.getActualTypeArguments();
      if (value instanceof List<?> list) {
        return list.stream().map(one -> convert(wanted[0], one)).toList();
      }
      return value; // a map of texts
    }
    var wanted = (Class<?>) type;
    if (value == null) {
      return wanted == boolean.class ? false : wanted == double.class ? (Object) 0.0 : wanted == long.class ? (Object) 0L
          : wanted == int.class ? (Object) 0 : null;
    } else if (wanted == int.class || wanted == Integer.class) {
      return ((BigDecimal) value).intValueExact();
    } else if (wanted == long.class || wanted == Long.class) {
      return ((BigDecimal) value).longValueExact();
    } else if (wanted == double.class || wanted == Double.class) {
      return ((BigDecimal) value).doubleValue();
    } else if (wanted == Instant.class) {
      return Instant.parse((String) value);
    } else if (wanted.isEnum()) {
      return Arrays.stream(wanted.getEnumConstants()).filter(one -> spelled(one).equals(value)).findFirst().orElseThrow();
    } else if (wanted.isRecord() && value instanceof Map<?, ?> fields) {
      return make(wanted, fields);
    }
    return value;
  }

  private static Object make(Class<?> type, Map<?, ?> fields) {
    var components = type.getRecordComponents();
    try {
      var constructor = type.getDeclaredConstructor(Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      return constructor.newInstance(
          Arrays.stream(components).map(one -> convert(one.getGenericType(), fields.get(one.getName()))).toArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    } catch (ClassCastException e) {
      throw new IllegalArgumentException(fields + " is no " + type.getSimpleName(), e);
    }
  }

  /** Returns a copy of a record in which a component has another value. */
  static <T extends Record> T with(T record, String name, Object value) {
    var fields = new LinkedHashMap<>(fields(record));
    fields.put(name, value);
    var components = record.getClass().getRecordComponents();
    try {
      var constructor = record.getClass()
          .getDeclaredConstructor(Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      @SuppressWarnings("unchecked")
      var copy = (T) constructor.newInstance(Arrays.stream(components).map(one -> fields.get(one.getName())).toArray());
      return copy;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the components of a record that are not null. */
  static Map<String, Object> fields(Record record) {
    var fields = new LinkedHashMap<String, Object>();
    for (var component : record.getClass().getRecordComponents()) {
      try {
        var value = component.getAccessor().invoke(record);
        if (value != null) {
          fields.put(component.getName(), value);
        }
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
    return fields;
  }

  static String write(Object value) {
    if (value instanceof Record record) {
      return write(fields(record));
    } else if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream().map(one -> quoted((String) one.getKey()) + ":" + write(one.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    } else if (value instanceof List<?> list) {
      return list.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      return String.valueOf(value);
    }
    return quoted(spelled(value));
  }

  /** Returns a value as text, constants of enumerations as the API spells them. */
  static String spelled(Object value) {
    return value instanceof Enum<?> constant ? constant.name().toLowerCase(Locale.ROOT) : value.toString();
  }

  private static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    text.chars().forEach(one -> {
      if (one == '"' || one == '\\') {
        quoted.append('\\').append((char) one);
      } else if (one < ' ') {
        quoted.append(String.format("\\u%04x", one));
      } else {
        quoted.append((char) one);
      }
    });
    return quoted.append('"').toString();
  }
}
