"use strict";
(() => {
  const root = document.documentElement;
  const languages = document.querySelectorAll("[data-language]");

  function speak(language) {
    root.lang = language;
    for (const button of languages) button.setAttribute("aria-pressed", String(button.dataset.language === language));
    // What a list offers has no elements inside.
    for (const option of document.querySelectorAll("option[data-en]")) option.text = language === "en" ? option.dataset.en : option.dataset.zh;
  }
  for (const button of languages) button.addEventListener("click", () => speak(button.dataset.language));

  // What a cell is sorted by: a number where the column has numbers, else its text.
  function key(row, column, numbers) {
    const cell = row.cells[column];
    if (!numbers) return cell.textContent;
    return cell.dataset.value === "" ? NaN : Number(cell.dataset.value);
  }

  function sort(table, head) {
    const column = head.cellIndex;
    const numbers = head.dataset.kind === "number";
    const first = numbers ? "descending" : "ascending";
    const second = numbers ? "ascending" : "descending";
    const order = head.getAttribute("aria-sort") === first ? second : first;
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    const rows = Array.from(table.tBodies[0].rows, (row) => [key(row, column, numbers), row]);
    rows.sort(([a], [b]) => {
      if (!numbers) return sign * a.localeCompare(b, undefined, { numeric: true });
      // What has no figure comes last.
      if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
      return sign * (a - b);
    });
    table.tBodies[0].append(...rows.map(([, row]) => row));
  }

  function filters(bar, table, heads) {
    const rows = Array.from(table.tBodies[0].rows);
    const search = bar.querySelector("input");
    const choices = [];
    for (const head of heads) {
      if (!("choice" in head.dataset)) continue;
      const select = document.createElement("select");
      select.append(new Option("*", ""));
      const cells = new Map(rows.map((row) => [row.cells[head.cellIndex].textContent, row.cells[head.cellIndex]]));
      for (const [value, cell] of cells) {
        const option = new Option(value, value);
        option.dataset.en = (cell.querySelector(".en") || cell).textContent;
        option.dataset.zh = (cell.querySelector(".zh") || cell).textContent;
        select.append(option);
      }
      const label = document.createElement("label");
      label.append(...head.querySelector("button").cloneNode(true).childNodes, select);
      bar.append(label);
      choices.push([head.cellIndex, select]);
    }
    const count = document.createElement("output");
    bar.append(count);
    function apply() {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        const chosen = choices.every(([column, select]) => !select.value || row.cells[column].textContent === select.value);
        row.hidden = !(chosen && words.every((word) => text.includes(word)));
        if (!row.hidden) shown += 1;
      }
      count.textContent = `${shown} / ${rows.length}`;
    }
    search.addEventListener("input", apply);
    for (const [, select] of choices) select.addEventListener("change", apply);
    apply();
    bar.hidden = false;
  }

  // Points are too near each other for values beside them: a line below the chart has that of the one pointed at.
  for (const figure of document.querySelectorAll(".points")) {
    const value = figure.querySelector(".value");
    for (const point of figure.querySelectorAll(".point")) {
      const tell = () => { value.textContent = point.getAttribute("aria-label"); };
      point.addEventListener("pointerenter", tell);
      point.addEventListener("focus", tell);
    }
  }

  for (const box of document.querySelectorAll(".table")) {
    const table = box.querySelector("table");
    const heads = Array.from(table.tHead.rows[0].cells);
    for (const head of heads) head.querySelector("button").addEventListener("click", () => sort(table, head));
    const bar = box.querySelector(".filters");
    if (bar) filters(bar, table, heads);
  }

  speak((navigator.language || "").toLowerCase().startsWith("zh") ? "zh-CN" : "en");

  // A link to how a figure was measured opens what it points to; so does paper.
  function open() {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) target.open = true;
  }
  addEventListener("hashchange", open);
  addEventListener("beforeprint", () => {
    for (const one of document.querySelectorAll("details")) one.open = true;
  });
  open();
})();
