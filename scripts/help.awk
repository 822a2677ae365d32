# The Makefile's targets with what stands behind their `##`, in the groups that `##@` begins.
/^##@ / { printf "%s%s\n", (groups++ ? "\n" : ""), substr($0, 5) }
/^[a-z0-9-]+:.*## / {
    target = substr($0, 1, index($0, ":") - 1)
    printf "  %-22s %s\n", target, substr($0, index($0, "## ") + 3)
}
