import type { Bus, Log } from './bus.ts';
import { checkFilter, checkSubject, matches } from './subjects.ts';

interface Listener {
  matches(subject: string): boolean;
  listen(payload: Uint8Array): void;
}

export function createLocalSignals(log: Log): Pick<Bus, 'signal' | 'heard' | 'onSignal'> & { close(): void } {
  const listeners = new Set<Listener>();

  function notify(subject: string, payload: Uint8Array): void {
    for (const listener of listeners) {
      if (!listener.matches(subject)) continue;
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
      // Never within the caller's stack, and before any further I/O: whoever is answered afterwards finds it
      // handled.
      queueMicrotask(() => notify(subject, payload));
    },
    // Signals are queued as microtasks, ahead of whoever awaits this.
    heard: () => new Promise(queueMicrotask),
    onSignal(filter, listen) {
      checkFilter(filter);
      // Most filters are plain subjects, and every listener checks every signal.
      const wild = /[*>]/.test(filter);
      const listener: Listener = {
        matches: (subject) => (wild ? matches(filter, subject) : subject === filter),
        listen,
      };
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
