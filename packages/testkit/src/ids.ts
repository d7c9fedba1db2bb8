import { systemClock } from '@hearth/clock';
import { createIds, systemRandom } from '@hearth/ids';

/** New ids, in the order of the real time. */
export const ids = createIds(systemClock, systemRandom);
