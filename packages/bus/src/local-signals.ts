import type { Bus, Log } from './bus.ts';
import { checkFilter, checkSubject, matches } from './subjects.ts';

interface Listener {
  filter: string;
  hear(payload: Uint8Array): void;
}

export function createLocalSignals(log: Log): Pick<Bus, 'signal' | 'onSignal'> & { close(): void } {
  const listeners = new Set<Listener>();

  function tell(subject: string, payload: Uint8Array): void {
    for (const listener of listeners) {
      if (!matches(listener.filter, subject)) continue;
      try {
        listener.hear(payload);
      } catch (error) {
        log.error({ subject, err: error }, 'a signal could not be heard');
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
      setImmediate(tell, subject, payload);
    },
    onSignal(filter, hear) {
      checkFilter(filter);
      const listener = { filter, hear };
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
