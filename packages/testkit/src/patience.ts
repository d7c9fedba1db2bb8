/**
 * Milliseconds that a test waits for something that must happen. Not a measure of speed: a machine under load, or with
 * a slow disk, takes many times as long as an idle one. Speed is measured in bench/.
 */
export const patienceMs = 60_000;
