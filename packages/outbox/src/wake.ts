/** Signal that wakes the holders of long polls, without a guarantee of delivery. */
export const wakeSubject = 'wake';

export interface Wake {
  topics: readonly string[];
  /** The events behind this wake, so that their consumers do not wake the holders again. */
  events: readonly string[];
  /** By topic: what its holders would read now (an encoded Carried), which saves them a query. */
  carried?: ReadonlyMap<string, Uint8Array>;
}

/** The most bytes carried by one wake; holders of the remaining topics query instead. */
const mostCarried = 262_144;

export function encodeWake({ topics, events, carried }: Wake): Uint8Array {
  let bytes = 0;
  const lines = topics.flatMap((topic) => {
    const held = carried?.get(topic);
    bytes += held?.length ?? 0;
    if (held === undefined || bytes > mostCarried) return [topic];
    // A process of an older version takes the second line for a topic without holders.
    return [topic, `${topic}\t${Buffer.from(held.buffer, held.byteOffset, held.length).toString('base64')}`];
  });
  return Buffer.from(`${events.join(',')}\n${lines.join('\n')}`);
}

export function decodeWake(payload: Uint8Array): Required<Wake> {
  const [events = '', ...lines] = Buffer.from(payload).toString().split('\n');
  const topics: string[] = [];
  const carried = new Map<string, Uint8Array>();
  for (const line of lines) {
    const end = line.indexOf('\t');
    if (end > 0) carried.set(line.slice(0, end), Buffer.from(line.slice(end + 1), 'base64'));
    else if (line !== '') topics.push(line);
  }
  return { topics, events: events === '' ? [] : events.split(','), carried };
}
