import type { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import type { BidiHandler } from '@hearth/rpc';
import { createHold } from '../actions/create-hold.ts';
import type { Context } from '../context.ts';

export const hold = ({ watchers }: Context): BidiHandler<typeof DeliveryService.method.hold> =>
  createHold(watchers);
