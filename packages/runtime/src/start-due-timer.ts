import type { Bus } from '@hearth/bus';
import type { Database } from '@hearth/db';
import { askDue } from './ask-due.ts';
import { createDueTimer, type DueTimer, type DueTimerOptions } from './due-timer.ts';

type Deps = Pick<DueTimerOptions, 'clock' | 'log'> & {
  database: Pick<Database, 'db' | 'onWrite'>;
  bus: Pick<Bus, 'onReconnect' | 'onSignal' | 'signal'>;
};

const subject = 'due';

/** The due timer of a process. It signals other processes when it learns of an earlier due time. */
export function startDueTimer({ bus, clock, database, log }: Deps): DueTimer {
  const timer = createDueTimer({
    clock,
    log,
    ask: (works) => askDue(database, works),
    tell: (name, at) => bus.signal(subject, Buffer.from(`${at} ${name}`)),
  });
  database.onWrite(timer.written);
  bus.onReconnect(timer.again);
  bus.onSignal(subject, (payload) => {
    const [at = '', ...name] = Buffer.from(payload).toString().split(' ');
    timer.heard(name.join(' '), Number(at));
  });
  return timer;
}
