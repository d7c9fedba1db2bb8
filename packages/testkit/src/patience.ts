/**
 * Milliseconds for which a test waits for what must come. It is no measure of speed: a machine that runs other tests
 * beside it, or writes to a slow disk, takes many times as long as a quiet one. Speed is measured in bench/.
 */
export const patienceMs = 60_000;
