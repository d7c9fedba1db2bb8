import type { SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { VerifyingContext } from '../shared/actions/verify-address.ts';
import type { Outbound } from '../shared/domain/outbound.ts';

export type Context = Pick<Host, 'random'> &
  VerifyingContext & {
    outbound: Outbound;
    approvals: Client<typeof SendSourceService>;
  };
