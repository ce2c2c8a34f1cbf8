# Golden values of tests/reference/pool.json: the bivariate generalised linear mixed model of sensitivity and specificity
# (Chu and Cole 2006), fitted by maximum likelihood with lme4 (Debian: r-cran-lme4, 1.1-31). Laplace's approximation
# (nAGQ = 1), the only one that lme4 has for two random effects.
#
#     Rscript tests/reference/make_pool.R > tests/reference/pool.json
#
# The counts are published facts: AUDIT-C (Kriston et al. 2008, Ann Intern Med 149: 879), mini-mental state examination
# and dementia (Mitchell 2009, J Psychiatr Res 43: 411), self-reported smoking (Patrick et al. 1994, Am J Public Health
# 84: 1086); as listed in the R package mada.
suppressMessages(library(lme4))
sets <- list(
AuditC = "47 9 101 738;126 51 272 1543;19 10 12 192;36 3 78 276;130 19 211 959;84 2 68 89;68 0 112 423;752 0 3226 2977;59 5 55 136;142 50 571 2788;137 24 107 358;57 3 103 437;34 1 21 56;152 51 88 264",
Dementia = "66 4 240 870;118 12 10 110;48 20 64 990;134 8 28 152;24 6 44 292;68 16 48 154;64 18 0 72;282 64 20 286;14 2 44 286;262 20 30 178;144 18 30 124;184 34 34 52;22 0 152 140;112 0 590 2092;152 82 126 1010;30 26 26 236;32 6 4 248;10 4 12 334;708 88 1438 10448;182 108 18 184;60 30 24 74;74 24 16 144;28 12 26 210;40 6 76 528;318 52 174 578;388 116 16 54;118 66 2 44;44 8 34 396;124 46 98 310;26 44 4 172;74 32 2 226;38 46 0 440;78 34 46 376",
SAQ = "21 15 28 324;90 10 120 969;104 8 26 232;332 18 92 673;3 0 2 77;437 23 78 901;23 13 18 332;350 35 77 155;397 34 32 154;3 45 6 198;59 5 5 227;27 47 25 1233;81 7 5 170;103 5 13 169;81 24 7 213;103 8 11 209;120 5 54 329;21 25 22 177;15 0 35 198;17 2 27 200;120 1 39 148;132 52 110 889;158 8 95 960;55 0 32 180;57 1 29 180;163 3 24 178;177 4 9 178;141 3 45 180;25 11 3 40;56 33 2 49;19 2 1 96")
one <- function(name) {
  t4 <- do.call(rbind, lapply(strsplit(sets[[name]], ";")[[1]], function(row) as.numeric(strsplit(row, " ")[[1]])))
  s <- nrow(t4)
  long <- data.frame(study = rep(1:s, 2), yes = c(t4[, 1], t4[, 4]), no = c(t4[, 2], t4[, 3]),
                     sens = rep(c(1, 0), each = s), spec = rep(c(0, 1), each = s))
  fit <- glmer(cbind(yes, no) ~ 0 + sens + spec + (0 + sens + spec | study), data = long, family = binomial,
               control = glmerControl(optimizer = "bobyqa", optCtrl = list(maxfun = 1e6), tolPwrss = 1e-12))
  v <- VarCorr(fit)$study
  alone <- glmer(cbind(yes, no) ~ 1 + (1 | study), data = subset(long, sens == 1), family = binomial, nAGQ = 25,
                 control = glmerControl(optimizer = "bobyqa", tolPwrss = 1e-12))
  tables <- paste(apply(t4, 1, function(r) paste0("[", paste(r, collapse = ", "), "]")), collapse = ", ")
  sprintf(paste0('"%s": {"tables": [%s],\n  "mean": [%.6f, %.6f], "sd": [%.6f, %.6f], "rho": %.6f, "log_likelihood": %.6f,\n',
                 '  "sensitivity_alone": {"mean": %.6f, "sd": %.6f}}'),
          name, tables, fixef(fit)[1], fixef(fit)[2], sqrt(v[1, 1]), sqrt(v[2, 2]), attr(v, "correlation")[1, 2],
          as.numeric(logLik(fit)), fixef(alone)[1], sqrt(VarCorr(alone)$study[1, 1]))
}
cat("{", paste(sapply(names(sets), one), collapse = ",\n"), "}\n", sep = "")
