import { counter, gauge } from '@hearth/telemetry';

const unsent = gauge('hearth.home.unsent', {
  description: 'Items that wait to be sent to another home.',
  unit: '{item}',
});
const failing = gauge('hearth.home.failing', {
  description: 'Time since which another home took nothing that was sent to it; 0 while it does.',
  unit: 's',
});
const items = counter('hearth.home.items', {
  description: 'Items that another home settled, and that were settled here for it.',
  unit: '{item}',
});

/** Records the state of a home's log. @param home a home that the operator named, or `other` */
export function recordHomeLog(log: { home: string; unsent: number; failingSeconds: number }): void {
  unsent(log.unsent, { 'hearth.home': log.home });
  failing(log.failingSeconds, { 'hearth.home': log.home });
}

/** Counts items that were settled, at the other home (sent) or here (received). */
export function recordItems(settled: {
  home: string;
  direction: 'sent' | 'received';
  status: string;
  count: number;
}): void {
  const { home, direction, status, count } = settled;
  items(count, { 'hearth.home': home, 'hearth.direction': direction, 'hearth.outcome': status });
}
