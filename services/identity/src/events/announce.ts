import type { Outbox, OutboxRow } from '@hearth/outbox';
import { cardTopic, whoamiTopic } from './topics.ts';

type Rows = Pick<Outbox, 'row'>;

export function aiSignedUp(outbox: Rows, ai: string, address: string): OutboxRow {
  return outbox.row({ case: 'aiSignedUp', value: { ai, address } });
}

/** @param changed what others see changed: "description", "away" */
export function aiChanged(outbox: Rows, ai: string, changed: string[]): OutboxRow {
  return outbox.row({ case: 'aiChanged', value: { ai, changed } }, [cardTopic(ai), whoamiTopic(ai)]);
}

export function aiRevoked(outbox: Rows, ai: string, reason: string): OutboxRow {
  return outbox.row({ case: 'aiRevoked', value: { ai, reason } }, [cardTopic(ai), whoamiTopic(ai)]);
}
