import { approvals } from '@hearth/approvals';
import { decisions } from '@hearth/decisions';
import { delivery } from '@hearth/delivery';
import { federation } from '@hearth/federation';
import { gateway } from '@hearth/gateway';
import { groups } from '@hearth/groups';
import { identity } from '@hearth/identity';
import { messages } from '@hearth/messages';
import type { ServiceDefinition } from '@hearth/runtime';

/** The whole home: every service, the gateway last, so that it takes requests only when the rest is there. */
export const services: readonly ServiceDefinition[] = [
  federation,
  identity,
  groups,
  approvals,
  messages,
  decisions,
  delivery,
  gateway,
];
