import { second } from '@hearth/clock';
import { type NatsConnection, nuid } from '@nats-io/transport-node';
import type { Log } from './bus.ts';
import type { HomeMac } from './home-mac.ts';
import type { Session } from './nats-session.ts';
import { hearingSubject } from './streams.ts';

/** A process that doesn't answer within this counts as gone until it is heard of again. */
const longestMs = second;

export interface Hearing {
  /** Resolves once every process of the home has handled what this one signalled before, at the latest after a second. */
  heard(): Promise<void>;
  /** Tells the others not to wait for this process any more. */
  leave(): void;
}

/**
 * A server passes on the messages of one connection in their order. So a process that answers a question has handled every
 * signal that the asker sent before it. Processes know each other by their questions: each asks once when it starts.
 */
export function createHearing(
  connection: NatsConnection,
  session: Session,
  prefix: string,
  mac: HomeMac,
  log: Log,
): Hearing {
  const self = nuid.next();
  const members = new Set([self]);
  const questions = new Map<string, { answered: Set<string>; end(): void }>();
  let asked = 0;

  function send(subject: string, ...words: string[]): void {
    const whole = hearingSubject(prefix, subject);
    try {
      connection.publish(whole, mac.sign(whole, Buffer.from(words.join(' '))));
    } catch (error) {
      log.error({ subject, err: error }, 'a signal could not be sent');
    }
  }

  function listen(subject: string, take: (process: string, question: string) => void): void {
    connection.subscribe(hearingSubject(prefix, subject), {
      callback(error, message) {
        try {
          if (error !== null) throw error;
          const [process = '', question = ''] = Buffer.from(mac.open(message.subject, message.data))
            .toString()
            .split(' ');
          take(process, question);
        } catch (failure) {
          log.error({ subject, err: failure }, 'a signal could not be handled');
        }
      },
    });
  }

  listen('ask', (process, question) => {
    members.add(process);
    send(`answer.${process}`, self, question);
  });
  listen('leave', (process) => {
    members.delete(process);
    for (const question of questions.keys()) look(question);
  });
  listen(`answer.${self}`, (process, question) => {
    members.add(process);
    questions.get(question)?.answered.add(process);
    look(question);
  });

  function look(question: string): void {
    const { answered, end } = questions.get(question) ?? {};
    // The own question comes back behind those of processes that started before it: by then all members are known.
    if (answered?.has(self) && [...members].every((process) => answered.has(process))) end?.();
  }

  function heard(): Promise<void> {
    // Nothing is signalled while the server is away, and processes forget all when it is back.
    if (session.epoch() === null) return Promise.resolve();
    asked += 1;
    const question = String(asked);
    return new Promise((resolve) => {
      const answered = new Set<string>();
      const end = () => {
        clearTimeout(timer);
        questions.delete(question);
        resolve();
      };
      const timer = setTimeout(() => {
        const silent = [...members].filter((process) => process !== self && !answered.has(process));
        for (const process of silent) members.delete(process);
        log.warn({ silent: silent.length }, 'not every process answered in time that it heard a signal');
        end();
      }, longestMs);
      questions.set(question, { answered, end });
      send('ask', self, question);
    });
  }

  send('ask', self, '0');
  return { heard, leave: () => send('leave', self) };
}
