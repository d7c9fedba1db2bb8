import { second } from '@hearth/clock';
import { type NatsConnection, nuid } from '@nats-io/transport-node';
import type { Log } from './bus.ts';
import type { HomeMac } from './home-mac.ts';
import type { Session } from './nats-session.ts';
import { hearingSubject } from './streams.ts';

/** A process that does not answer within this time counts as gone until it is heard from again. */
const longestMs = second;

export interface Hearing {
  /** Resolves once every process of the home has handled this one's signals so far, or after a second. */
  heard(): Promise<void>;
  /** Tells the others to stop waiting for this process. */
  leave(): void;
}

/**
 * A server delivers the messages of one connection in order, so a process that answers a question has handled
 * all signals that the asker sent before. Processes learn of each other by questions: each asks once at
 * startup.
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
    // This process's own question returns after the questions of processes that started earlier, so
    // all members are known by then.
    if (answered?.has(self) && [...members].every((process) => answered.has(process))) end?.();
  }

  function heard(): Promise<void> {
    // No signals are sent while the server is unreachable, and processes drop their caches afterwards.
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
