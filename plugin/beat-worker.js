/** The world's heart while the page is hidden: browsers slow a hidden page's own timers down, a worker's they do not. Say how many milliseconds a beat has. */
let timer = 0;

addEventListener('message', ({ data }) => {
  clearInterval(timer);
  timer = Number(setInterval(() => postMessage(0), data));
});
