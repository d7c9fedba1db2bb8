/** A message as its sender knows it; `acknowledged` once the home confirmed it. */
export interface SentMessage {
  /** Identifies it: the text and the request_id are derived from it. */
  key: string;
  conversation: string;
  /** Its position in the conversation, from 1. */
  n: number;
  recipient: string;
  acknowledged?: { id: string; thread: string };
}

/** A message as a receiver saw it, in that order. */
export interface SeenMessage {
  recipient: string;
  id: string;
  thread: string;
  text: string;
}

export interface Verdict {
  attempted: number;
  acknowledged: number;
  delivered: number;
  /** Acknowledged, but never delivered. */
  lost: string[];
  /** Delivered, but not as sent: another text, receiver, id or thread than acknowledged. */
  unexpected: string[];
  /** Seen twice, or once each under two ids. */
  duplicates: string[];
  /** Seen in a thread after a later message. */
  orderViolations: string[];
}

/** Compares sent with seen messages. Pure, so that the checker itself can be tested. */
export function judge(sent: readonly SentMessage[], seen: readonly SeenMessage[]): Verdict {
  const byKey = new Map(sent.map((message) => [message.key, message]));
  const seenKeys = new Set<string>();
  const lastOfThread = new Map<string, number>();
  const verdict: Verdict = {
    attempted: sent.length,
    acknowledged: sent.filter(({ acknowledged }) => acknowledged !== undefined).length,
    delivered: 0,
    lost: [],
    unexpected: [],
    duplicates: [],
    orderViolations: [],
  };
  for (const { recipient, id, thread, text } of seen) {
    const message = byKey.get(text);
    if (message === undefined || message.recipient !== recipient || differs(message, { id, thread })) {
      verdict.unexpected.push(`${text.slice(0, 60)} (${id}) at ${recipient}`);
      continue;
    }
    if (seenKeys.has(text)) {
      verdict.duplicates.push(text);
      continue;
    }
    seenKeys.add(text);
    verdict.delivered += 1;
    const place = `${recipient} ${thread}`;
    const last = lastOfThread.get(place) ?? 0;
    if (message.n <= last) verdict.orderViolations.push(`${text} after number ${last}`);
    lastOfThread.set(place, Math.max(last, message.n));
  }
  for (const { key, acknowledged } of sent)
    if (acknowledged !== undefined && !seenKeys.has(key)) verdict.lost.push(`${key} (${acknowledged.id})`);
  return verdict;
}

function differs({ acknowledged }: SentMessage, seen: { id: string; thread: string }): boolean {
  return acknowledged !== undefined && (acknowledged.id !== seen.id || acknowledged.thread !== seen.thread);
}
