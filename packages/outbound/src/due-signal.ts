import type { Bus } from '@hearth/bus';

/** Beyond this number, naming destinations in a signal is no use. */
const mostNamed = 500;

/**
 * Tells other processes about destinations that became due and that this one could not claim, because they
 * hold them.
 */
export interface DueSignal {
  notify(destinations: readonly string[]): void;
  stop(): void;
}

/**
 * @param schema of the service
 *
 * @param self identifies this process, which ignores its own signals
 * @param onDue takes the destinations named by another process
 */
export function createDueSignal(
  bus: Pick<Bus, 'signal' | 'onSignal'>,
  schema: string,
  self: string,
  onDue: (destinations: string[]) => void,
): DueSignal {
  const subject = `${schema}.due`;
  const subscription = bus.onSignal(subject, (payload) => {
    const [from, ...destinations] = Buffer.from(payload).toString().split(',');
    if (from !== self) onDue(destinations);
  });
  return {
    notify(destinations) {
      if (destinations.length === 0) return;
      bus.signal(subject, Buffer.from([self, ...destinations.slice(0, mostNamed)].join(',')));
    },
    stop: () => void subscription.stop(),
  };
}
