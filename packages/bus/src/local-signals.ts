import type { Bus, Log } from './bus.ts';
import { checkFilter, checkSubject, matches } from './subjects.ts';

interface Listener {
  filter: string;
  listen(payload: Uint8Array): void;
}

export function createLocalSignals(log: Log): Pick<Bus, 'signal' | 'onSignal'> & { close(): void } {
  const listeners = new Set<Listener>();

  function notify(subject: string, payload: Uint8Array): void {
    for (const listener of listeners) {
      if (!matches(listener.filter, subject)) continue;
      try {
        listener.listen(payload);
      } catch (error) {
        log.error({ subject, err: error }, 'a signal could not be handled');
      }
    }
  }

  return {
    signal(subject, payload) {
      try {
        checkSubject(subject);
      } catch (error) {
        log.error({ subject, err: error }, 'a signal could not be sent');
        return;
      }
      // Never inside the caller's stack: who signals does not run what others do about it.
      setImmediate(notify, subject, payload);
    },
    onSignal(filter, listen) {
      checkFilter(filter);
      const listener = { filter, listen };
      listeners.add(listener);
      return {
        async stop() {
          listeners.delete(listener);
        },
      };
    },
    close: () => listeners.clear(),
  };
}
