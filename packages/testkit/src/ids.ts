import { systemClock } from '@hearth/clock';
import { createIds, systemRandom } from '@hearth/ids';

/** New ids, ordered by real time. */
export const ids = createIds(systemClock, systemRandom);
