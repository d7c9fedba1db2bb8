import type { Bus } from '@hearth/bus';

/** More than that in one signal is as good as none named. */
const mostNamed = 500;

/** Tells the other processes which destinations became due that this one could not take: they have them in hand. */
export interface DueSignal {
  notify(destinations: readonly string[]): void;
  stop(): void;
}

/**
 * @param schema of the service
 * @param self names this process, which leaves out its own signals
 * @param onDue is given the destinations that another process named
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
