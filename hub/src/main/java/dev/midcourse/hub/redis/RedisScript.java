package dev.midcourse.hub.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A script that the server runs as one atomic step.
 *
 * @param digest the SHA-1 of the text, by which the server knows a script that it has run before
 */
record RedisScript(String text, String digest) {

  /**
   * Moves new entries to the empty list of entries in processing, each behind an id and a mark, and
   * returns that list. If the list is not empty, a hub ended before it removed them: they are
   * returned first. The mark is {@code =}; it is {@code >} for an entry that is too large, of which
   * only the beginning is kept.
   */
  static final RedisScript TAKE =
      of(
          """
          local inbox, processing = KEYS[1], KEYS[2]
          local batch, entries = ARGV[1], tonumber(ARGV[2])
          local max_entry, max_batch = tonumber(ARGV[3]), tonumber(ARGV[4])
          if redis.call('TYPE', inbox).ok == 'list' and redis.call('EXISTS', processing) == 0 then
            local bytes = 0
            for i = 1, entries do
              local entry = redis.call('LPOP', inbox)
              if not entry then break end
              local mark = '='
              if #entry > max_entry then
                entry = string.sub(entry, 1, 1000)
                mark = '>'
              end
              redis.call('RPUSH', processing, batch .. '-' .. i .. mark .. entry)
              bytes = bytes + #entry
              if bytes >= max_batch then break end
            end
          end
          if redis.call('TYPE', processing).ok ~= 'list' then return {} end
          return redis.call('LRANGE', processing, 0, -1)
          """);

  /** Removes entries, named by id and mark, from the head of the list of entries in processing. */
  static final RedisScript REMOVE =
      of(
          """
          for i = 1, #ARGV do
            local head = redis.call('LINDEX', KEYS[1], 0)
            if head and string.sub(head, 1, #ARGV[i]) == ARGV[i] then redis.call('LPOP', KEYS[1]) end
          end
          return 1
          """);

  /**
   * Adds a record to a stream of receipts, unless the stream has a record with its id. A record
   * whose id is not after the newest one gets the id after that: its clock went back.
   */
  private static final String ADD_RECORD =
      """
      local function add(stream, id, max, ttl, fields)
        local added = redis.pcall('XADD', stream, 'MAXLEN', max, id, unpack(fields))
        if type(added) == 'table' and added.err then
          if #redis.call('XRANGE', stream, id, id) == 0 then
            local newest = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1][1]
            local ms, seq = string.match(newest, '(%d+)-(%d+)')
            local nextId = ms .. '-' .. string.format('%.0f', tonumber(seq) + 1)
            redis.call('XADD', stream, 'MAXLEN', max, nextId, unpack(fields))
          end
        end
        redis.call('EXPIRE', stream, ttl)
      end
      """;

  /** Adds a receipt: stream; id, maximum length, seconds to live, fields and values. */
  static final RedisScript RECEIPT =
      of(
          ADD_RECORD
              + """
              local fields = {}
              for i = 4, #ARGV do fields[#fields + 1] = ARGV[i] end
              add(KEYS[1], ARGV[1], ARGV[2], ARGV[3], fields)
              return 1
              """);

  /**
   * Moves the first entry in processing, if it has this id and mark, to the list of refused
   * entries, and adds the refusal to the stream of receipts if there are fields for it.
   */
  static final RedisScript REJECT =
      of(
          ADD_RECORD
              + """
              local processing, rejected, stream = KEYS[1], KEYS[2], KEYS[3]
              local id, refusal, max_rejected, rejected_ttl = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
              local head = redis.call('LINDEX', processing, 0)
              if not head or string.sub(head, 1, #id) ~= id then return 0 end
              redis.call('LPOP', processing)
              redis.call('RPUSH', rejected, refusal)
              redis.call('LTRIM', rejected, -tonumber(max_rejected), -1)
              redis.call('EXPIRE', rejected, rejected_ttl)
              if #ARGV > 7 then
                local fields = {}
                for i = 8, #ARGV do fields[#fields + 1] = ARGV[i] end
                add(stream, ARGV[5], ARGV[6], ARGV[7], fields)
              end
              return 1
              """);

  private static RedisScript of(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return new RedisScript(text, HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-1", impossible);
    }
  }
}
