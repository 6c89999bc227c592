/** Every sound is computed: plucked and bell-like notes, filtered noise, and a loop of night air with crickets and slow chords. */
import { hash } from '../lib/picture.mjs';

const rate = 22050;
const pitch = (note) => 440 * 2 ** ((note - 69) / 12);

function track(seconds, write) {
  const samples = new Float64Array(Math.round(seconds * rate));
  write(samples);
  return { rate, samples };
}

/** Adds one note: a few partials, each dying on its own, with a soft start. */
function note(samples, at, midi, { length = 0.6, loud = 0.3, partials = [1, 0.4, 0.15], attack = 0.004, spread = 1 } = {}) {
  const start = Math.round(at * rate);
  const count = Math.min(samples.length - start, Math.round(length * rate));
  for (let n = 0; n < count; n++) {
    const t = n / rate;
    let value = 0;
    partials.forEach((strength, k) => {
      value += strength * Math.sin(2 * Math.PI * pitch(midi) * (k * spread + 1) * t) * Math.exp((-t * (3 + k * 3)) / length);
    });
    const edge = Math.min(1, t / attack, (count - n) / (0.02 * rate));
    samples[start + n] += value * loud * edge;
  }
}

/** Adds noise through a one-pole low-pass whose openness may change with time (0 to 1). */
function hiss(samples, at, length, loud, open, salt) {
  const start = Math.round(at * rate);
  const count = Math.min(samples.length - start, Math.round(length * rate));
  let low = 0;
  for (let n = 0; n < count; n++) {
    const t = n / count;
    low += (hash(n, salt, 9) * 2 - 1 - low) * open(t);
    samples[start + n] += low * loud * Math.min(1, n / 60) * (1 - t) ** 2;
  }
}

const bell = { partials: [1, 0.55, 0.25, 0.12], spread: 1.76 };

/** Nothing in it is high: every second sample is enough, and half the download. */
function halved({ samples }) {
  return { rate: rate / 2, samples: samples.filter((_, n) => n % 2 === 0) };
}

function night() {
  const seconds = 16;
  const whole = track(seconds, (samples) => {
    const chords = [
      [45, 52, 57, 60],
      [41, 48, 57, 60],
      [43, 50, 55, 59],
      [40, 47, 55, 59],
    ];
    for (let n = 0; n < samples.length; n++) {
      const t = n / rate;
      let value = 0;
      chords.forEach((chord, k) => {
        let from = t - k * 4;
        if (from < -1) from += seconds;
        const swell = from < -1 || from > 5 ? 0 : Math.sin((Math.PI * (from + 1)) / 6) ** 2;
        if (swell > 0)
          chord.forEach((midi, voice) => {
            const cycles = Math.round(pitch(midi) * seconds) / seconds;
            value += swell * 0.035 * Math.sin(2 * Math.PI * cycles * t + voice) * (1 + 0.25 * Math.sin(2 * Math.PI * 0.25 * t + voice));
          });
      });
      const chirp = (speed, offset, tone, loud) => {
        const phase = (t * speed + offset) % 1;
        const pulse = phase < 0.3 ? Math.max(0, Math.sin(phase * 10 * Math.PI * 2)) : 0;
        value += loud * pulse * Math.sin(2 * Math.PI * tone * t);
      };
      chirp(0.75, 0, 4210, 0.013);
      chirp(0.5, 0.4, 3760, 0.009);
      samples[n] += value;
    }
    const melody = [
      [1, 76],
      [2.5, 72],
      [3.5, 74],
      [5.5, 69],
      [9, 71],
      [10.5, 74],
      [11.5, 67],
      [13, 71],
    ];
    for (const [at, midi] of melody) note(samples, at, midi, { ...bell, length: 2.2, loud: 0.05, attack: 0.01 });
  });
  return halved(whole);
}

export const sounds = {
  'step-1': () => track(0.09, (s) => hiss(s, 0, 0.09, 0.5, (t) => 0.25 - t * 0.15, 1)),
  'step-2': () => track(0.09, (s) => hiss(s, 0, 0.09, 0.5, (t) => 0.19 - t * 0.1, 2)),
  'step-wood': () =>
    track(0.1, (s) => {
      hiss(s, 0, 0.05, 0.35, () => 0.3, 3);
      note(s, 0, 45, { length: 0.09, loud: 0.3, partials: [1, 0.6, 0.3], spread: 1.4 });
    }),
  'pick-up': () =>
    track(0.4, (s) => {
      note(s, 0, 76, { length: 0.2, loud: 0.25 });
      note(s, 0.07, 83, { length: 0.3, loud: 0.28 });
      hiss(s, 0, 0.06, 0.2, () => 0.6, 4);
    }),
  light: () =>
    track(1.5, (s) => {
      hiss(s, 0, 0.7, 0.55, (t) => 0.08 + 0.5 * Math.exp(-t * 6), 5);
      [69, 73, 76, 81, 88].forEach((midi, n) => {
        note(s, 0.1 + n * 0.085, midi, { ...bell, length: 1, loud: 0.16 });
      });
    }),
  say: () =>
    track(0.22, (s) => {
      note(s, 0, 79, { length: 0.12, loud: 0.16, partials: [1, 0.2] });
      note(s, 0.06, 84, { length: 0.15, loud: 0.16, partials: [1, 0.2] });
    }),
  give: () =>
    track(0.4, (s) => {
      note(s, 0, 72, { length: 0.25, loud: 0.2 });
      note(s, 0.1, 79, { length: 0.3, loud: 0.2 });
    }),
  nope: () =>
    track(0.25, (s) => {
      note(s, 0, 50, { length: 0.12, loud: 0.3, partials: [1, 0.5, 0.4] });
      note(s, 0.1, 47, { length: 0.15, loud: 0.3, partials: [1, 0.5, 0.4] });
    }),
  click: () => track(0.07, (s) => note(s, 0, 81, { length: 0.06, loud: 0.2, partials: [1, 0.3] })),
  warning: () =>
    track(1.2, (s) => {
      for (const at of [0, 0.5]) note(s, at, 57, { ...bell, length: 0.7, loud: 0.25 });
    }),
  win: () =>
    track(3, (s) => {
      [
        [0, 69],
        [0.16, 73],
        [0.32, 76],
        [0.48, 81],
        [0.8, 78],
        [0.96, 81],
        [1.12, 85],
        [1.28, 88],
      ].forEach(([at, midi]) => {
        note(s, at, midi, { ...bell, length: 1.4, loud: 0.17 });
        note(s, at, midi - 24, { length: 0.9, loud: 0.12 });
      });
      for (const midi of [57, 64, 69, 73, 81]) note(s, 1.6, midi, { length: 1.4, loud: 0.12, attack: 0.02 });
    }),
  lose: () =>
    track(2.4, (s) => {
      [
        [0, 69],
        [0.35, 68],
        [0.7, 65],
        [1.05, 60],
      ].forEach(([at, midi]) => {
        note(s, at, midi, { length: 1.2, loud: 0.2 });
        note(s, at, midi - 12, { length: 1.2, loud: 0.15 });
      });
    }),
  dawn: () =>
    track(2.6, (s) => {
      [57, 61, 64, 69, 76].forEach((midi, n) => {
        note(s, n * 0.18, midi, { length: 2, loud: 0.13, attack: 0.05 });
      });
    }),
  night,
};
