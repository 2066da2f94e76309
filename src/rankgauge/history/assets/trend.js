// The page of a trend: language, theme and tables that scroll.
prepareShell();
root.dataset.ready = String(Math.round(performance.now()));
})();
