/** The signal by which holders of long polls look again at once; nothing rests on it arriving. */
export const wakeSubject = 'wake';

export interface Wake {
  topics: readonly string[];
  /** The events that these topics were woken for, so that a consumer of those events wakes no holder twice. */
  events: readonly string[];
}

export function encodeWake({ topics, events }: Wake): Uint8Array {
  return Buffer.from(`${events.join(',')}\n${topics.join('\n')}`);
}

export function decodeWake(payload: Uint8Array): Wake {
  const [events = '', ...topics] = Buffer.from(payload).toString().split('\n');
  return { topics: topics.filter((topic) => topic !== ''), events: events === '' ? [] : events.split(',') };
}
