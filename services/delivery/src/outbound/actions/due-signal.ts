import type { Bus } from '@hearth/bus';

const subject = 'delivery.due';
/** More than that in one signal is as good as none named. */
const mostNamed = 500;

/** Tells the other processes which destinations became due that this one could not take: they have them in hand. */
export interface DueSignal {
  tell(destinations: readonly string[]): void;
  stop(): void;
}

/**
 * @param self names this process, which does not hear itself
 * @param hear is given the destinations that another process named
 */
export function createDueSignal(
  bus: Pick<Bus, 'signal' | 'onSignal'>,
  self: string,
  hear: (destinations: string[]) => void,
): DueSignal {
  const hearing = bus.onSignal(subject, (payload) => {
    const [from, ...destinations] = Buffer.from(payload).toString().split(',');
    if (from !== self) hear(destinations);
  });
  return {
    tell(destinations) {
      if (destinations.length === 0) return;
      bus.signal(subject, Buffer.from([self, ...destinations.slice(0, mostNamed)].join(',')));
    },
    stop: () => void hearing.stop(),
  };
}
