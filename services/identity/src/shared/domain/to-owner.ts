import { isMinor } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Owner } from './own-act.ts';

export function toOwner(facts: PersonFacts): Owner {
  const { id, guest, aiShare, guardians, app } = facts;
  return { id, minor: isMinor(facts), guest, aiShare, guardians, app: app === '' ? null : app };
}
