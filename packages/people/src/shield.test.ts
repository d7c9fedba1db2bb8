import { createIds, parseId, systemRandom } from '@hearth/ids';
import { createSealer } from '@hearth/sealing';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { shieldId, unshield } from './shield.ts';

const sealer = createSealer(Buffer.alloc(32, 7).toString('base64url'), systemRandom);
const elsewhere = createSealer(Buffer.alloc(32, 8).toString('base64url'), systemRandom);

/** A UUIDv7 with any time and random part. */
const uuid = fc
  .tuple(fc.nat({ max: 2 ** 46 }), fc.uint8Array({ minLength: 16, maxLength: 16 }))
  .map(([at, bytes]) => createIds({ now: () => at }, { bytes: () => bytes }).uuid());

describe('a shielded id', () => {
  test('has its own format, is stable, and resolves for its viewer', () => {
    fc.assert(
      fc.property(uuid, uuid, (viewer, child) => {
        const shown = shieldId(sealer, viewer, child);
        expect(shown).toMatch(/^shp_[0-9a-f]{32}$/);
        expect(shieldId(sealer, viewer, child)).toBe(shown);
        expect(unshield(sealer, viewer, shown)).toBe(child);
      }),
    );
  });

  test('differs between viewers and between children', () => {
    fc.assert(
      fc.property(uuid, uuid, uuid, (one, other, third) => {
        fc.pre(one !== other && third !== one && third !== other);
        expect(shieldId(sealer, one, third)).not.toBe(shieldId(sealer, other, third));
        expect(shieldId(sealer, third, one)).not.toBe(shieldId(sealer, third, other));
        expect(shieldId(elsewhere, one, third)).not.toBe(shieldId(sealer, one, third));
      }),
    );
  });

  test('resolves to the child for no other viewer', () => {
    fc.assert(
      fc.property(uuid, uuid, uuid, (viewer, other, child) => {
        fc.pre(viewer !== other);
        const shown = shieldId(sealer, viewer, child);
        expect(unshield(sealer, other, shown)).not.toBe(child);
        expect(unshield(elsewhere, viewer, shown)).not.toBe(child);
      }),
    );
  });

  test('reveals nothing of the uuid, even for uuids of the same moment', () => {
    const ids = createIds({ now: () => 1_800_000_000_000 }, systemRandom);
    const viewer = ids.uuid();
    const beginnings = Array.from({ length: 500 }, () => shieldId(sealer, viewer, ids.uuid()).slice(0, 16));
    expect(new Set(beginnings).size).toBe(500);
  });

  test('of another viewer, or a random one, decodes to some uuid about once in 64 times and never throws', () => {
    const ids = createIds({ now: () => 1_800_000_000_000 }, systemRandom);
    const viewer = ids.uuid();
    const tries = 20_000;
    let found = 0;
    for (let index = 0; index < tries; index += 1) {
      const hex = Buffer.from(systemRandom.bytes(16)).toString('hex');
      if (unshield(sealer, viewer, `shp_${hex}`) !== null) found += 1;
    }
    expect(found / tries).toBeGreaterThan(1 / 64 / 2);
    expect(found / tries).toBeLessThan((1 / 64) * 2);
  });

  test('never throws on any input', () => {
    const given = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ maxLength: 40 }).map((text) => `shp_${text}`),
      fc.uint8Array({ maxLength: 20 }).map((bytes) => `shp_${Buffer.from(bytes).toString('hex')}`),
    );
    fc.assert(
      fc.property(fc.oneof(uuid, fc.string()), given, (viewer, text) => {
        const found = unshield(sealer, viewer, text);
        expect(found === null || parseId('per', `per_${found.replaceAll('-', '')}`) === found).toBe(true);
      }),
    );
  });

  test('is refused in any other spelling', () => {
    const ids = createIds({ now: () => 1_800_000_000_000 }, systemRandom);
    const [viewer, child] = [ids.uuid(), ids.uuid()];
    const shown = shieldId(sealer, viewer, child);
    for (const text of [
      shown.toUpperCase(),
      ` ${shown}`,
      `${shown}0`,
      shown.slice(4),
      shown.replace('shp', 'per'),
    ]) {
      expect(unshield(sealer, viewer, text)).toBeNull();
    }
  });
});
