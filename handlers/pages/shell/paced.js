// What many events would do too often.

/**
 * Returns a function that calls act at once, and once more after the pause if it was called meanwhile.
 * @param {() => void} act
 * @param {number} pause  ms
 */
export function paced(act, pause) {
  let timer = 0;
  let missed = false;
  const call = () => {
    missed = timer !== 0;
    if (missed) return;
    timer = setTimeout(() => {
      timer = 0;
      if (missed) call();
    }, pause);
    act();
  };
  return call;
}

/**
 * Returns a function that calls act after the delay, once for all calls until then.
 * @param {() => void} act
 * @param {number} delay  ms
 */
export function later(act, delay) {
  let timer = 0;
  return () => {
    timer ||= setTimeout(() => {
      timer = 0;
      act();
    }, delay);
  };
}
